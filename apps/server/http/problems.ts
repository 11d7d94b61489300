import type { Problem } from "./problem.ts";

/** Maximum size of a request body other than an upload: forms and networks' pushes. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The refusals that any request can meet before it reaches a noun. */
export const problems = {
  noHost: { status: 400, title: "Bad request", detail: "The request does not say which site it is for." },
  unreadableAddress: {
    status: 400,
    title: "This address can't be read",
    detail: "It contains characters that an address can't have. Check what you typed, or start from the home page.",
  },
  unreadableBody: {
    status: 400,
    title: "This can't be read",
    detail:
      "What was sent contains characters that text can't have, or is cut off. Type it again. Programs must send UTF-8 without NUL characters.",
  },
  outsideFrame: {
    status: 401,
    title: "This page opens inside another one",
    detail:
      "It opens inside a page of a shop that works with us, for half an hour. Go to the shop's page and start again, or reload it.",
  },
  foreignPost: {
    status: 403,
    title: "Not sent from here",
    detail: "This was sent by a page of another site, so nothing was done. Open the page here and try again.",
  },
  notFound: { status: 404, title: "Not found", detail: "There is nothing at this address." },
  tooLarge: {
    status: 413,
    title: "Too large",
    detail: `At most ${MAX_BODY_BYTES / 1024} kB can be sent here.`,
  },
  notAForm: {
    status: 415,
    title: "Not a form",
    detail: "Only forms (application/x-www-form-urlencoded) can be sent here.",
  },
  unknownHost: {
    status: 421,
    title: "No club at this address",
    detail: "This server does not know this host name. Check the address.",
  },
  databaseUnavailable: {
    status: 503,
    title: "Please try again in a moment",
    detail: "A part of this site is being restarted. Wait a few seconds, then try again.",
    headers: { "Retry-After": "5" },
  },
} satisfies Record<string, Problem>;

export function methodNotAllowed(allow: string): Problem {
  return {
    status: 405,
    title: "Method not allowed",
    detail: `This address answers ${allow}.`,
    headers: { Allow: allow },
  };
}
