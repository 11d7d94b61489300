import { dictionary } from "@zxcvbn-ts/language-common";

/** 49,000 leaked passwords in lower case (Y1). Browsers get them packed by browserWordList(). */
export const commonPasswords: ReadonlySet<string> = new Set(dictionary["passwords-common"]);
