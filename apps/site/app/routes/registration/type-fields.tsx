import { SelectField } from "@farthing/ui/forms/select-field.tsx";
import { useEarlyChoice } from "@farthing/ui/forms/use-early-choice.ts";
import { useEffect, useRef, useState } from "react";
import type { TypeChoice } from "./details-view.server.ts";

/**
 * Member type, and the statuses that belong to it. Until a type is chosen, the statuses of all types are listed in groups where there is no
 * script, and none where there is.
 */
export function TypeFields({
  types,
  type: firstType,
  status: firstStatus,
  onChange,
}: {
  types: TypeChoice[];
  type: string;
  status: string;
  onChange?: (chosen: { type: string; status: string }) => void;
}) {
  const [chosen, setChosen] = useState({ type: firstType, status: firstStatus });
  // Type and status may both change before the next render (useEarlyChoice). Neither may undo the other.
  const latest = useRef(chosen);
  // The first render is the server's, and has to work without script.
  const [hasScript, setScript] = useState(false);
  useEffect(() => setScript(true), []);
  const known = types.find(({ slug }) => slug === chosen.type);

  function choose({ type, status }: { type: string; status: string }) {
    const offered = types.find(({ slug }) => slug === type)?.statuses;
    const isOffered = offered === undefined || offered.some(({ slug }) => slug === status);
    const next = { type, status: isOffered ? status : "" };
    latest.current = next;
    setChosen(next);
    onChange?.(next);
  }

  const chooseType = (type: string) => choose({ ...latest.current, type });
  const chooseStatus = (status: string) => choose({ ...latest.current, status });

  useEarlyChoice("member_type", firstType, chooseType);
  useEarlyChoice("member_status", firstStatus, chooseStatus);

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
        emptyLabel={known || !hasScript ? "Choose one" : "Choose your member type first"}
        choices={known ? statusChoices(known) : hasScript ? [] : inGroups(types)}
        onChange={({ currentTarget: { value } }) => chooseStatus(value)}
      />
    </>
  );
}

function inGroups(types: TypeChoice[]) {
  return types.map((type) => ({ label: type.name, choices: statusChoices(type) }));
}

function statusChoices({ statuses }: TypeChoice) {
  return statuses.map(({ slug, name }) => ({ value: slug, label: name }));
}
