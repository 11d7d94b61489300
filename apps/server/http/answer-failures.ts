import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import type { ErrorHandler } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { AppParts } from "../app-parts.ts";
import { hasHungUp } from "./has-hung-up.ts";
import { plainPage } from "./plain-page.ts";
import { isForPrograms, problemResponse, type Problem } from "./problem.ts";
import { problems } from "./problems.ts";
import { frameAround, refusePlainly, type Refuse } from "./refuse.ts";
import { routePattern } from "./route-pattern.ts";

/**
 * Answers errors that nothing else caught. The log gets the error and the request's id; the caller gets the id and a
 * next step, never the error. A database that does not answer is 503: the transaction is rolled back, so the same
 * request can be sent again.
 */
export function answerFailures({ logger }: Pick<AppParts, "logger">, refuse: Refuse): ErrorHandler<AppEnv> {
  return async (error, context) => {
    const requestId = context.get("requestId");
    const route = routePattern(context.req.path);
    if (error instanceof DatabaseUnavailableError) {
      logger.warn({ requestId, route, err: error }, "the database does not answer");
      const visit = context.get("visit") as AppEnv["Variables"]["visit"] | undefined;
      const plainly = () => refusePlainly(context, problems.databaseUnavailable);
      // Without a visit the brand is unknown, and finding it takes the database.
      return visit ? refuse(context, problems.databaseUnavailable).catch(plainly) : plainly();
    }
    logger[hasHungUp(context) ? "debug" : "error"]({ requestId, route, err: error }, "request failed");
    if (isForPrograms(context.req.path)) return problemResponse(unexpectedFailure(requestId));
    const framedBy = (context.get("visit") as AppEnv["Variables"]["visit"] | undefined)?.widget?.origin;
    const frame = framedBy === undefined ? frameAround(context) : { origin: framedBy, problem: "error" as const };
    return plainPage({
      frame,
      status: 500,
      title: "Something went wrong",
      text: `The fault is on our side, and we have a record of it. Try again in a moment. If it happens again, tell us the number ${requestId}.`,
      ...(frame ? {} : { link: { href: "/", label: "Go to the start page" } }),
    });
  };
}

/** What a program is told of an error that nothing else caught. */
export function unexpectedFailure(requestId: string): Problem {
  return {
    status: 500,
    title: "Something went wrong",
    detail: `The fault is on our side. Try again; if it happens again, tell us the number ${requestId}.`,
  };
}
