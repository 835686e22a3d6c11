// get calls an operation of the API.
export async function get(path) {
	const response = await fetch("/api" + path);
	if (!response.ok) throw new Error(`${path}: ${response.status}`);
	return response.json();
}
