/** Maximum number of addresses of a member, including the main one. */
export const MAX_EMAILS = 5;
