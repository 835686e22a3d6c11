// Texts of dates, prices and pictures, in English.
const formats = new Map();

function format(time, zone, options) {
	const key = zone + JSON.stringify(options);
	if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }));
	return formats.get(key).format(new Date(time));
}

export const weekday = (time, zone) => format(time, zone, { weekday: "short" });
export const dayOfMonth = (time, zone) => format(time, zone, { day: "numeric" });
export const month = (time, zone) => format(time, zone, { month: "short" });
export const hour = (time, zone) => format(time, zone, { hour: "2-digit", minute: "2-digit" });
export const date = (time, zone) => format(time, zone, { weekday: "long", day: "numeric", month: "long" });

export function price(event) {
	if (event.price === "free" || event.price_amount === null) return "Free";
	const money = new Intl.NumberFormat("en", { style: "currency", currency: event.price_currency });
	return money.format(event.price_amount / 10 ** money.resolvedOptions().maximumFractionDigits);
}

// byDay groups events, which are in the order of their start, by the local day of the start.
export function byDay(cards) {
	const days = [];
	for (const card of cards) {
		const name = date(card.event.starts_at, card.event.timezone);
		if (days.at(-1)?.name !== name) days.push({ name, cards: [] });
		days.at(-1).cards.push(card);
	}
	return days;
}

// picture returns the address of an image in one of the widths 480, 960 and 1600.
export function picture(address, width) {
	const { pathname } = new URL(address);
	if (pathname.startsWith("/media/")) return pathname.replace(/-\d+\.jpg$/, `-${width}.jpg`);
	return "/api/images/proxy?" + new URLSearchParams({ url: address, w: width });
}

// hue returns the class of the colours of something without a picture.
export const hue = id => "hue-" + (parseInt(id.slice(-2), 16) % 12);
