package text

import "time"

// halfDays are the countries in which English texts count hours to 12 (CLDR 46, timeData).
// A text without a country counts to 24, which nobody misunderstands.
var halfDays = map[string]bool{
	"AG": true, "AS": true, "AU": true, "BB": true, "BD": true, "BM": true, "BS": true, "BW": true, "CA": true, "CY": true, "DM": true,
	"FJ": true, "FM": true, "GD": true, "GH": true, "GM": true, "GU": true, "GY": true, "HK": true, "IN": true, "JM": true, "KI": true,
	"KN": true, "KY": true, "LC": true, "LK": true, "LR": true, "MH": true, "MO": true, "MP": true, "MW": true, "MY": true, "NA": true,
	"NZ": true, "PG": true, "PH": true, "PK": true, "PR": true, "PW": true, "SB": true, "SD": true, "SG": true, "SL": true, "SS": true,
	"SZ": true, "TC": true, "TO": true, "TT": true, "US": true, "VC": true, "VG": true, "VI": true, "VU": true, "WS": true, "ZM": true,
}

// countsTo12 reports whether hours are counted to 12. English is the only language of the service in
// which some countries do.
func (l Language) countsTo12() bool { return l.name == "en" && halfDays[l.country] }

// Clock returns a time of day, such as "20:00", or "8:00 PM" where hours are counted to 12.
func (l Language) Clock(t time.Time) string {
	if l.countsTo12() {
		return t.Format("3:04\u00a0PM")
	}
	return t.Format("15:04")
}

// HourCycle and HourDigits return the options of Intl.DateTimeFormat by which browsers format times like Clock.
func (l Language) HourCycle() string {
	if l.countsTo12() {
		return "h12"
	}
	return "h23"
}

// HourDigits is described at HourCycle.
func (l Language) HourDigits() string {
	if l.countsTo12() {
		return "numeric"
	}
	return "2-digit"
}
