import { checkList } from "@farthing/core/books/check-books.server.ts";
import { csvOfList } from "../../kit/load-list.server.ts";
import { checkListing } from "./check-list.tsx";
import type { Route } from "./+types/checks-csv";

export const loader = (args: Route.LoaderArgs) => csvOfList(args, "book-checks.export", checkListing, checkList);
