/** Addresses one member may have, the main one included. */
export const mostEmails = 5;
