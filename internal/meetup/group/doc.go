// Package group keeps groups of people who meet again and again: an owner, hosts and members. What each role may see and do, package
// access decides.
//
// Each change of a group or a membership locks the row of the group. So joins, approvals, bans and transfers of one group follow each
// other in some order, and the later one reads what the earlier one did (docs/concurrency.md).
package group
