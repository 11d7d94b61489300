// src/server.ts
/** A header longer than this is not read. A correct one has about 90 characters for each signature. */
const MAX_HEADER_LENGTH = 4096;
/** HMAC-SHA-256 in hexadecimal. */
const SIGNATURE = /^[0-9a-f]{64}$/i;
const encoder = new TextEncoder();
/**
* Verifies a webhook's signature and returns its event. Nothing in the delivery makes it throw or reject: it returns `ok: false` with the reason.
* Compares in constant time, every signature of the header with every secret.
*/
async function verifyWebhook(delivery) {
	const { body, signature, secret, toleranceSeconds = 300, now = /* @__PURE__ */ new Date() } = delivery;
	const secrets = [secret].flat().filter((one) => typeof one === "string" && one !== "");
	if (secrets.length === 0) return {
		ok: false,
		error: "no_secret"
	};
	const header = [signature].flat().join(",");
	if (header.trim() === "") return {
		ok: false,
		error: "missing_signature"
	};
	const read = readSignature(header);
	if (!read) return {
		ok: false,
		error: "malformed_signature"
	};
	const bytes = bytesOf(body);
	const signed = join(encoder.encode(`${read.sentAt}.`), bytes);
	let isGenuine = false;
	for (const one of secrets) {
		const expected = await hmac(one, signed);
		for (const given of read.signatures) isGenuine = isEqual(given, expected) || isGenuine;
	}
	if (!isGenuine) return {
		ok: false,
		error: "wrong_signature"
	};
	if (!(Math.abs(now.getTime() / 1e3 - Number(read.sentAt)) <= toleranceSeconds)) return {
		ok: false,
		error: "expired"
	};
	const event = readEvent(bytes);
	return event ? {
		ok: true,
		event
	} : {
		ok: false,
		error: "malformed_body"
	};
}
/** Returns the time of sending, as it is written, and the `v1` signatures. Other schemes are ignored. */
function readSignature(header) {
	if (header.length > MAX_HEADER_LENGTH) return void 0;
	const parts = header.split(",").map((part) => part.trim());
	const values = (name) => parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
	const [sentAt, second] = values("t");
	const signatures = values("v1").filter((value) => SIGNATURE.test(value));
	if (sentAt === void 0 || second !== void 0 || !/^\d{1,12}$/.test(sentAt)) return void 0;
	return signatures.length > 0 ? {
		sentAt,
		signatures: signatures.map(fromHex)
	} : void 0;
}
/** Returns the body's bytes: none for a body that a framework has parsed, so that its signature is wrong. */
function bytesOf(body) {
	if (typeof body === "string") return encoder.encode(body);
	if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
	return body instanceof ArrayBuffer ? new Uint8Array(body) : /* @__PURE__ */ new Uint8Array();
}
const fromHex = (hex) => Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));
function join(first, second) {
	const joined = new Uint8Array(first.length + second.length);
	joined.set(first);
	joined.set(second, first.length);
	return joined;
}
async function hmac(secret, data) {
	const key = await crypto.subtle.importKey("raw", encoder.encode(secret), {
		name: "HMAC",
		hash: "SHA-256"
	}, false, ["sign"]);
	return new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}
/** Compares two signatures of the same length. The time does not depend on where they differ. */
function isEqual(first, second) {
	let difference = first.length ^ second.length;
	for (let index = 0; index < second.length; index++) difference |= first[index] ^ second[index];
	return difference === 0;
}
function readEvent(bytes) {
	try {
		const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
		return typeof event?.id === "string" && typeof event.type === "string" && typeof event.data === "object" && event.data !== null ? event : void 0;
	} catch {
		return;
	}
}

export { verifyWebhook };