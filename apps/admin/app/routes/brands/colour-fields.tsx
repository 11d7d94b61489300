import { areas, areaWords, faultOf, tellFault, type Area, type Pair } from "@farthing/core/brands/own-colours.ts";
import type { ReactNode } from "react";
import type { Faults, Typed } from "../../kit/read-form.ts";
import { colourField } from "./brand-form.ts";

/** How a pair looks. Drawn, because the content security policy takes no inline styles. */
export function Sample({ ground, text }: Pair) {
  return (
    <svg className="sample" viewBox="0 0 64 32" role="img" aria-label={`${text} on ${ground}`}>
      <rect width="64" height="32" rx="4" fill={ground} />
      <text x="32" y="21" textAnchor="middle" fontSize="15" fontWeight="700" fill={text}>
        Abc 12
      </text>
    </svg>
  );
}

/**
 * The colours of a brand: two of each area, checked while they are typed (script/colours.ts) and by the server. `start`:
 * the theme's pairs.
 */
export function ColourFields({
  pairs,
  start,
  grounds,
  typed,
  faults,
}: {
  pairs: Record<Area, Pair>;
  start: Record<Area, Pair>;
  grounds: readonly string[];
  typed: Typed | undefined;
  faults: Faults | undefined;
}) {
  return (
    <div className="colours" data-colours={JSON.stringify(grounds)}>
      {areas.map((area) => {
        const shown = (part: keyof Pair) => typed?.[colourField(area, part)] ?? pairs[area][part];
        const pair = { ground: shown("ground"), text: shown("text") };
        const isReadable = [pair.ground, pair.text].every((each) => /^#[0-9a-f]{6}$/.test(each));
        const fault = isReadable ? faultOf(area, pair, grounds) : null;
        const said = (["ground", "text"] as const).map((part) => faults?.[colourField(area, part)]).find(Boolean);
        const isStarting = start[area].ground === pair.ground && start[area].text === pair.text;
        return (
          <fieldset key={area} className="group" data-area={area}>
            <legend>{areaWords[area].name}</legend>
            <p className="field-help">
              {areaWords[area].where}
              {!isStarting && ` · the theme has ${start[area].text} on ${start[area].ground}`}
            </p>
            <div className="colour-pair">
              <Sample {...(isReadable ? pair : start[area])} />
              <Colour area={area} part="ground" label="Ground" value={pair.ground} faults={faults} />
              <Colour area={area} part="text" label="Text" value={pair.text} faults={faults} />
            </div>
            <p id={`${area}-says`} className="colour-says" data-says data-is-bad={said || fault ? "" : undefined}>
              {said ?? (fault && tellFault(fault))}
            </p>
          </fieldset>
        );
      })}
    </div>
  );
}

function Colour({
  area,
  part,
  label,
  value,
  faults,
}: {
  area: Area;
  part: keyof Pair;
  label: ReactNode;
  value: string;
  faults: Faults | undefined;
}) {
  const name = colourField(area, part);
  return (
    <div className="colour">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        name={name}
        defaultValue={value}
        data-part={part}
        maxLength={9}
        size={9}
        required
        spellCheck={false}
        autoComplete="off"
        aria-describedby={`${area}-says`}
        aria-invalid={faults?.[name] ? true : undefined}
      />
    </div>
  );
}

/** The home page in the look that is typed. Its button sends the form's fields to the frame, and works without script. */
export function Preview({ address, name }: { address: string; name: string }) {
  return (
    <section className="panel preview" aria-labelledby="preview-title">
      <div className="page-head-line">
        <h2 id="preview-title">Preview</h2>
        <button
          form="look-form"
          className="button"
          formMethod="get"
          formAction="/admin/brands/preview"
          formTarget="preview"
          formNoValidate
          data-previews
        >
          Show what is typed
        </button>
      </div>
      <p className="soft">The home page as it would be. Nothing is saved by looking at it.</p>
      <iframe name="preview" title={`Preview of ${name}`} src={address} />
    </section>
  );
}

/**
 * The themes to start from. Each is a button of the form (`look-form`), so that what was typed comes along, with and without
 * script; the page answers with its form as it was (`retheme`). The hidden button is the form's first, and what Enter presses.
 */
export function Themes({
  themes,
  current,
  path,
  save,
}: {
  themes: readonly string[];
  current: string;
  path: string;
  /** The words of the form's own button. */
  save: string;
}) {
  return (
    <nav aria-label="Theme to start from">
      <button form="look-form" hidden>
        {save}
      </button>
      <ul className="chips">
        {themes.map((theme) => (
          <li key={theme}>
            <button
              form="look-form"
              className="button"
              name="retheme"
              value={theme}
              formAction={`${path}?theme=${theme}`}
              formNoValidate
              aria-current={theme === current ? "true" : undefined}
            >
              {theme}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
