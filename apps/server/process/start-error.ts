/** Why the process can't start, in words for the person who can fix it. Printed without a stack. */
export class StartError extends Error {}
