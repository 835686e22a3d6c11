// Package test has tests that need more than one package. Some use a running service, one program a group (identity,
// meetup, delivery, ops), its pages in a browser (browser), the SDK for Go (sdk), or kill it (faults). Others check who may
// see and do what (policy), and the code itself (architecture). The tools are a running service (apptest), databases
// (dbtest, enginetest, pgtest, withcluster), many events at once (eventtest), a disk (disktest), a map (maptest), a network
// (outboundtest), the comparison of responses with the contract (contract), and what needs no service (testutil).
//
// The tests import whatever they test. The tools may import api, domain, platform, core, meetup and ops.
package test
