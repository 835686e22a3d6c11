/** Returns the options by which browsers format a time of day like the service: with 12 or 24 hours. */
export function clock() {
	const { hour, hourCycle } = document.documentElement.dataset;
	return { hour, hourCycle, minute: "2-digit" } as Intl.DateTimeFormatOptions;
}
