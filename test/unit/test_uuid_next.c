#include "unit.h"

void
test_uuid_next(void)
{
}
