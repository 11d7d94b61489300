/** For members' pages and whatever depends on who asks: no cache may keep it (product.md S1, B4). */
export const privatePage = { "Cache-Control": "private, no-store" } as const;

/** A page with a code, and one whose address carries a token: the address goes nowhere either (product.md Y5). */
export const secretPage = { "Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer" } as const;

/** A page whose address carries a token from an e-mail: kept nowhere, and the address goes to no other site. Its own form still says where it comes from. */
export const tokenPage = { "Cache-Control": "private, no-store", "Referrer-Policy": "same-origin" } as const;
