// src/http-url.ts
/**
* Returns whether a URL may be opened or returned to (W5, Y4): absolute, http or https, without credentials, and without characters that a
* parser would silently remove or change (white space, control characters, backslashes).
*/
function isHttpUrl(url) {
	return /^https?:\/\/[^\0- \\/?#@]+([/?#][^\0- \\]*)?$/i.test(url) && URL.canParse(url);
}

// src/environments.ts
const environments = {
	__proto__: null,
	dev: {
		baseUrl: "http://localhost:3000",
		publishableKey: "pk_test_farthing"
	}
};
/**
* Defines environments for this page, for self-hosted services and for development on other ports. Call it before the first widget mounts. A
* definition replaces the built-in environment of the same name entirely. Invalid values throw when a widget mounts.
*/
function defineEnvironments(definitions) {
	Object.assign(environments, definitions);
}
/** Returns an environment. @throws TypeError that says what to do, if it is not defined or its baseUrl is not http(s) */
function findEnvironment(name) {
	if (!name) throw new TypeError("farthing-widget: environment is missing: write environment=\"production\"");
	const environment = environments[name];
	if (!environment || !isHttpUrl(environment.baseUrl)) throw new TypeError(`farthing-widget: environment "${name}" needs an http(s) baseUrl: see defineEnvironments, or write data-base-url on the script tag`);
	if (/^[rs]k_/.test(environment.publishableKey)) throw new TypeError(`farthing-widget: environment "${name}" has a secret key, which everyone can now read: write the publishable key, pk_…`);
	return environment;
}

export { findEnvironment as n, isHttpUrl as r, defineEnvironments as t };