import { operatorContext } from "../../admin-context.ts";
import { PageHead } from "../../kit/page-head.tsx";
import { menuOf } from "../../kit/signed-in-shell.tsx";
import type { Route } from "./+types/keys-page";

const general = [
  { keys: "Ctrl K", does: "opens the list of all pages (on a Mac: ⌘ K)" },
  { keys: "/", does: "goes to the search for members" },
  { keys: "?", does: "opens this page" },
  { keys: "j", does: "goes to the next row of a list" },
  { keys: "k", does: "goes to the row before" },
  { keys: "x", does: "chooses the row" },
];

export function loader({ context }: Route.LoaderArgs) {
  return { entries: menuOf(context.get(operatorContext)) };
}

export default function KeysPage({ loaderData: { entries } }: Route.ComponentProps) {
  const rows = [
    ...general,
    ...entries.flatMap(({ keys, label }) => (keys ? [{ keys, does: `goes to ${label}` }] : [])),
  ];
  return (
    <section className="narrow">
      <PageHead
        title="Keyboard shortcuts"
        intro="Two letters are pressed one after the other. None works while you type in a field."
      />
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Keys</th>
            <th scope="col">What it does</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ keys, does }) => (
            <tr key={keys}>
              <td>
                <kbd>{keys}</kbd>
              </td>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
