// Package web renders the pages of the web client. It calls the operations of the published contract
// inside the process, as Go values, on behalf of the visitor. So policy, limits and log have one place, and any other client
// can do what a page does. Its packages have the HTML of the pages (view), pictures for link previews (preview), pages of the operator
// (documents), the map (basemap), and the built files with their generator (assets, ui).
//
// They may import api, domain and platform.
package web
