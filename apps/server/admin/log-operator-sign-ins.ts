import type { OperatorAccounts } from "@farthing/admin/server/admin-handler.ts";
import type { SignInFactor, SignInLine } from "../monitoring/log-sign-ins.ts";

/** Returns the ways in with a line in the log for each try. The operator is known once the password was right. */
export function logOperatorSignIns<Accounts extends OperatorAccounts>(
  accounts: Accounts,
  log: (line: SignInLine) => void,
): Accounts {
  async function logged<Result extends { outcome: string }>(
    trying: Promise<Result>,
    { requestId, factor, operator }: { requestId: string; factor: SignInFactor; operator?: string | undefined },
  ): Promise<Result> {
    const result = await trying;
    log({ requestId, factor, outcome: result.outcome, operator });
    return result;
  }

  return {
    ...accounts,
    signIn: (visit, ...typed) =>
      logged(accounts.signIn(visit, ...typed), { requestId: visit.requestId, factor: "password" }),
    finish: (visit, ...code) =>
      logged(accounts.finish(visit, ...code), {
        ...{ requestId: visit.requestId, factor: "code", operator: visit.operator?.id },
      }),
    setUp: (visit, ...code) =>
      logged(accounts.setUp(visit, ...code), {
        ...{ requestId: visit.requestId, factor: "code", operator: visit.operator?.id },
      }),
  };
}
