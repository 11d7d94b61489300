import { SelectField } from "@farthing/ui/forms/select-field.tsx";
import { useEarlyChoice } from "@farthing/ui/forms/use-early-choice.ts";
import { useState } from "react";
import type { ShownType } from "./details-view.server.ts";

/**
 * Member type, and the statuses that go with it. Until a type is chosen, and without script, the statuses of all types are there in groups: nobody
 * gets stuck.
 */
export function TypeFields({
  types,
  type: firstType,
  status: firstStatus,
  onChange,
}: {
  types: ShownType[];
  type: string;
  status: string;
  onChange?: (chosen: { type: string; status: string }) => void;
}) {
  const [chosen, setChosen] = useState({ type: firstType, status: firstStatus });
  const known = types.find(({ slug }) => slug === chosen.type);

  function choose(next: { type: string; status: string }) {
    setChosen(next);
    onChange?.(next);
  }

  function chooseType(type: string) {
    const isStillOffered = types.find(({ slug }) => slug === type)?.statuses.some(({ slug }) => slug === chosen.status);
    choose({ type, status: isStillOffered ? chosen.status : "" });
  }

  useEarlyChoice("member_type", firstType, chooseType);
  useEarlyChoice("member_status", firstStatus, (status) => choose({ ...chosen, status }));

  return (
    <>
      <SelectField
        name="member_type"
        label="Member type"
        required
        value={chosen.type}
        choices={types.map(({ slug, name }) => ({ value: slug, label: name }))}
        onChange={({ currentTarget: { value } }) => chooseType(value)}
      />
      <SelectField
        name="member_status"
        label="Member status"
        required
        value={chosen.status}
        choices={
          known ? statusChoices(known) : types.map((type) => ({ label: type.name, choices: statusChoices(type) }))
        }
        onChange={({ currentTarget: { value } }) => choose({ ...chosen, status: value })}
      />
    </>
  );
}

function statusChoices({ statuses }: ShownType) {
  return statuses.map(({ slug, name }) => ({ value: slug, label: name }));
}
