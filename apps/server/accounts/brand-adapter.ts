import { kyselyAdapter } from "@better-auth/kysely-adapter";
import type { Db } from "@farthing/db/client.ts";
import type { BetterAuthOptions } from "better-auth";

type DBAdapter = ReturnType<ReturnType<typeof kyselyAdapter>>;
type Where = Parameters<DBAdapter["findOne"]>[0]["where"][number];
type Operations = Pick<
  DBAdapter,
  | "create"
  | "findOne"
  | "findMany"
  | "count"
  | "update"
  | "updateMany"
  | "delete"
  | "deleteMany"
  | "consumeOne"
  | "incrementOne"
>;

/**
 * The auth library's database, narrowed to one brand: whatever it writes carries the brand, whatever it looks for is looked for inside the
 * brand (product.md B4). The library itself knows nothing of brands, so it cannot forget them.
 */
export function brandAdapter(db: Db, brandId: string): (options: BetterAuthOptions) => DBAdapter {
  const inner = kyselyAdapter(db, { type: "postgres", transaction: true });
  return (options) => {
    const adapter = inner(options);
    return {
      ...adapter,
      ...scoped(adapter, brandId),
      transaction: (callback) => adapter.transaction((trx) => callback({ ...trx, ...scoped(trx, brandId) })),
    };
  };
}

function scoped(adapter: Operations, brandId: string): Operations {
  const inBrand = (where: Where[] | undefined): Where[] => [...(where ?? []), { field: "brandId", value: brandId }];
  return {
    create: (query) => adapter.create({ ...query, data: { ...query.data, brandId } }),
    findOne: (query) => adapter.findOne({ ...query, where: inBrand(query.where) }),
    findMany: (query) => adapter.findMany({ ...query, where: inBrand(query.where) }),
    count: (query) => adapter.count({ ...query, where: inBrand(query.where) }),
    update: (query) => adapter.update({ ...query, where: inBrand(query.where), update: { ...query.update, brandId } }),
    updateMany: (query) =>
      adapter.updateMany({ ...query, where: inBrand(query.where), update: { ...query.update, brandId } }),
    delete: (query) => adapter.delete({ ...query, where: inBrand(query.where) }),
    deleteMany: (query) => adapter.deleteMany({ ...query, where: inBrand(query.where) }),
    consumeOne: (query) => adapter.consumeOne({ ...query, where: inBrand(query.where) }),
    incrementOne: (query) =>
      adapter.incrementOne({ ...query, where: inBrand(query.where), set: { ...query.set, brandId } }),
  };
}
