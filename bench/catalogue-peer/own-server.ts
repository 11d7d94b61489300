// Our side: node:http answers a category's listing and a search as JSON, from the queries that the site's pages use, with the words of
// searches in memory and without the read cache.
// node own-server.ts <PostgreSQL URL> <port> <brand's id> <now>
import { createServer } from "node:http";
import { findCategoryPage } from "@farthing/core/catalogue/categories/queries.server.ts";
import { keepWords } from "@farthing/core/search/kept-words.server.ts";
import { searchCatalogue } from "@farthing/core/search/queries.server.ts";
import { openDatabase } from "@farthing/db/client.ts";

const [url = "", port = "", brandId = "", time = ""] = process.argv.slice(2);
const now = new Date(time);
const { db } = openDatabase({ url, max: 10 });
const words = keepWords(db);
await words.refresh();

async function answer(address: URL): Promise<unknown> {
  const slug = /^\/categories\/([a-z0-9-]+)$/.exec(address.pathname)?.[1];
  if (slug) return findCategoryPage(db, { brandId, now, slug, sort: "popular", page: 1 });
  const query = address.searchParams.get("q");
  return query === null ? null : searchCatalogue(db, { brandId, now, query, sort: "relevance", page: 1 }, words.read);
}

createServer((request, response) => {
  answer(new URL(request.url ?? "/", "http://127.0.0.1"))
    .then((found) => {
      const body = Buffer.from(JSON.stringify(found));
      response.writeHead(found === null ? 404 : 200, {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": body.length,
      });
      response.end(body);
    })
    .catch((error: unknown) => {
      console.error(error);
      response.writeHead(500).end();
    });
}).listen(Number(port), "127.0.0.1");
