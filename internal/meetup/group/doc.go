// Package group implements groups of people who meet again and again. A group has an owner, hosts and members. Package access decides what
// each role may see and do.
//
// Each change of a group or a membership locks the row of the group. So joins, approvals, bans and transfers of one group follow each
// other in some order, and the later one reads the effects of the earlier one (docs/concurrency.md).
package group
