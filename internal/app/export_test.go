package app

// For tests in package app_test.
var (
	Rules           = rules
	OperationLimits = operationLimits
	WritesPerUser   = writesPerUser
)
