#include "unit.h"

void
test_uuid(void)
{
}
