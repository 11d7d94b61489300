/** Serves a shop that make-shop.ts has made: node serve-shop.ts <PostgreSQL URL> <port> */
import { bootstrap } from "@vendure/core";
import { shopConfig } from "./shop-config.ts";

const [url = "", port = ""] = process.argv.slice(2);
await bootstrap(shopConfig({ url, port: Number(port), makesTables: false }));
