import {
  DefaultCachePlugin,
  DefaultJobQueuePlugin,
  DefaultLogger,
  DefaultSchedulerPlugin,
  DefaultSearchPlugin,
  LogLevel,
  type VendureConfig,
} from "@vendure/core";

/** The shop as Vendure's documentation asks for production, without what it does not need here: assets, mail, the admin's pages. */
export function shopConfig({
  url,
  port,
  makesTables,
}: {
  url: string;
  port: number;
  makesTables: boolean;
}): VendureConfig {
  return {
    apiOptions: {
      hostname: "127.0.0.1",
      port,
      introspection: false,
      cors: { origin: [`http://127.0.0.1:${port}`], credentials: true },
      csrfPrevention: true,
    },
    authOptions: {
      tokenMethod: "cookie",
      superadminCredentials: { identifier: "superadmin", password: crypto.randomUUID() },
    },
    // TypeORM's own reading of `url` drops the socket's folder; node-postgres keeps it.
    dbConnectionOptions: {
      type: "postgres",
      synchronize: makesTables,
      logging: false,
      extra: { connectionString: url },
    },
    paymentOptions: { paymentMethodHandlers: [] },
    logger: new DefaultLogger({ level: LogLevel.Warn }),
    plugins: [
      DefaultCachePlugin.init({}),
      DefaultSchedulerPlugin.init({}),
      DefaultJobQueuePlugin.init({ useDatabaseForBuffer: true }),
      // Buffered, so that the index is made once, when the products and collections are there.
      DefaultSearchPlugin.init({ bufferUpdates: true }),
    ],
  };
}
