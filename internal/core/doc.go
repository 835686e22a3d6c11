// Package core has what every feature needs: who may see an event (access), the addresses of pages (address), accounts
// and profiles (user), notifications (notify), and messages to organizers' web servers (webhook).
//
// Its packages may import api, domain and platform.
package core
