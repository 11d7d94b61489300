import { Moment } from "../../kit/moment.tsx";

/** When something was done, and by whom. */
export function By({ at, by }: { at: Date; by: string | null }) {
  return (
    <>
      <Moment at={at} /> by {by ?? "somebody"}
    </>
  );
}
