/** Set by `build.ts` from package.json. */
declare const FARTHING_VERSION: string | undefined;

export const version: string = typeof FARTHING_VERSION === "string" ? FARTHING_VERSION : "source";

/** Returns where a service serves the files of this version, for ever the same. */
export const releaseAddress = (baseUrl: string): string => `${baseUrl.replace(/\/$/, "")}/widget/${version}/`;
