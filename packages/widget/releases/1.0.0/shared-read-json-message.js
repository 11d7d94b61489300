// src/read-json-message.ts
/** Longer strings are not parsed. The protocol's messages are far shorter. */
const MAX_MESSAGE_LENGTH = 65536;
const isString = (value) => typeof value === "string";
const isFiniteNumber = Number.isFinite;
/** Accepts undefined, null, and what the check accepts. */
const optionalOrNull = (check) => (value) => value === void 0 || value === null || check(value);
/**
* Accepts an object whose own properties pass their checks, in the given order. Inherited properties do not count, in case a script has
* changed Object.prototype. Other fields are allowed and kept.
*/
const shape = (checks) => (value) => typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(checks).every((key) => checks[key](Object.hasOwn(value, key) ? value[key] : void 0));
/**
* Reads the data of a window message with a table of payload shapes by type (W3). Returns undefined for anything else: invalid data never
* throws and is not reported. The caller must check the message's source and origin first.
*/
function readJsonMessage(data, payloads) {
	if (typeof data !== "string" || data.length > MAX_MESSAGE_LENGTH) return void 0;
	try {
		const message = JSON.parse(data, (key, value) => key === "__proto__" ? void 0 : value);
		return shape({
			type: (type) => isString(type) && Object.hasOwn(payloads, type),
			payload: (payload) => payloads[message.type](payload)
		})(message) ? {
			type: message.type,
			payload: message.payload
		} : void 0;
	} catch {
		return;
	}
}

export { shape as a, readJsonMessage as i, isString as n, optionalOrNull as r, isFiniteNumber as t };