import { unpackWords } from "@farthing/core/sign-in/word-list.ts";
import packed from "virtual:common-passwords";

/** Passwords known from leaks, in lower case: the server's own list, which vite.config.ts puts into the build. */
export const commonPasswords = unpackWords(packed);
