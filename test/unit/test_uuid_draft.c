#include "unit.h"

void
test_uuid_draft(void)
{
}
