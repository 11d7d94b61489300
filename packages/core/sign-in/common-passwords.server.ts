import { dictionary } from "@zxcvbn-ts/language-common";

/** 49,000 passwords from leaks, in lower case (product.md Y1). Browsers get them as browserWordList() packs them. */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary["passwords-common"]);
