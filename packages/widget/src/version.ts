/** Set by `build.ts` from package.json. */
declare const FARTHING_VERSION: string | undefined;

export const version: string = typeof FARTHING_VERSION === "string" ? FARTHING_VERSION : "source";
