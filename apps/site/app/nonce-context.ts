import { createContext } from "react";

/**
 * Marks our own inline scripts on the server, as `<ServerRouter nonce>` marks React Router's. Undefined in the browser.
 */
export const NonceContext = createContext<string | undefined>(undefined);
