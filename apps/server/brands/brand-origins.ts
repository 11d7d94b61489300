import type { Config } from "../env.ts";

/**
 * Returns what gives the origin of a brand's host in this deployment. A development machine is reached at its port;
 * elsewhere the host is the whole address.
 */
export function brandOrigins({
  publicScheme,
  environment,
  port,
}: Pick<Config, "publicScheme" | "environment" | "port">) {
  return (host: string): string => `${publicScheme}://${host}${environment === "dev" ? `:${port}` : ""}`;
}
