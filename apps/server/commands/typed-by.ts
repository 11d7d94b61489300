import { userInfo } from "node:os";

/**
 * Returns who runs a command, for the records of who did what: their account on the server. `bin/farthing` runs commands under the account of the
 * settings file, and says in `FARTHING_TYPED_BY` who typed them.
 */
export function typedBy(env: NodeJS.ProcessEnv = process.env): string {
  return env["FARTHING_TYPED_BY"] || userInfo().username;
}
