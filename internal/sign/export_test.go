package sign

// ParseTime is opened to tests: through the exported surface the zone is always the local one, which tests
// share.
var ParseTime = parseTime
