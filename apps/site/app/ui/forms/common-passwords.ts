import { unpackWords } from "@farthing/core/sign-in/word-list.ts";
import packed from "virtual:common-passwords";

/** Passwords from leaks, in lower case: the server's own list, put into the build by vite.config.ts. */
export const commonPasswords = unpackWords(packed);
