/** An expected error. Its message tells a person all they need, so no stack trace is printed. */
export class Trouble extends Error {}
