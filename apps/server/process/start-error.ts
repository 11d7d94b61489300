/** Why the process can't start, in words for whoever can put it right: told without a stack. */
export class StartError extends Error {}
