import type { Behaviour } from "../../behaviours/behaviour.ts";

/** Moves the focus to why the login failed, unless somebody has begun to type already. */
export const loginProblem: Behaviour = {
  selector: "#login-problem",
  start(problem) {
    if (document.activeElement === document.body) problem.focus();
  },
};
