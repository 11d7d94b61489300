"use client";
/** The components with client state. Their markup is as long as that of our own pages (bench/pages compares the bytes). */
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

export function FavouriteButton({ kind, id, name }: { kind: "offer" | "retailer"; id: string; name: string }) {
  const [isFavourite, setFavourite] = useState(false);
  return (
    <button
      type="submit"
      form="favourites"
      name={isFavourite ? "remove" : "add"}
      value={`${kind}:${id}`}
      className={`favourite-button is-${kind}`}
      aria-pressed={isFavourite}
      aria-label={`Favourite: ${name}`}
      onClick={(event) => {
        event.preventDefault();
        setFavourite(!isFavourite);
      }}
    />
  );
}

export function CollapsibleText({ text }: { text: string }) {
  const id = useId();
  const body = useRef<HTMLDivElement>(null);
  const [isTall, setTall] = useState(true);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setTall((body.current?.scrollHeight ?? 0) > 43), [text]);
  return (
    <div
      className="collapsible-text"
      data-open={isOpen || !isTall ? "" : undefined}
      data-tall={isTall ? "" : undefined}
    >
      <div id={id} ref={body} className="collapsible-text-body prose">
        {text.split("\n\n").map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </div>
      {isTall && (
        <button
          type="button"
          className="link-button needs-script"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Read less" : "Read more"}
        </button>
      )}
    </div>
  );
}

export function SearchForm({ query = "", isLarge = false }: { query?: string; isLarge?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <search className={isLarge ? "search is-large" : "search"} onFocus={() => setOpen(true)}>
      <div className="search-box" data-open={isOpen || undefined}>
        <form action="/search" method="get" className={isLarge ? "search-form is-large" : "search-form"}>
          <label htmlFor="search-field" className="visually-hidden">
            Search
          </label>
          <svg className="search-icon" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
            <path
              d="M8.500 2.500a6 6 0 1 1 0 12 6 6 0 0 1 0-12Zm4.600 10.600 4.400 4.400"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
            />
          </svg>
          <input
            id="search-field"
            type="text"
            role="searchbox"
            inputMode="search"
            name="q"
            defaultValue={query}
            maxLength={200}
            placeholder="Retailer, category or offer"
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            enterKeyHint="search"
            spellCheck={false}
          />
          <button type="submit" className="button">
            Search
          </button>
        </form>
      </div>
    </search>
  );
}

export interface Select {
  name: string;
  label: string;
  choices: readonly (readonly [value: string, words: string])[];
}

export function SelectForm({ path, selects }: { path: string; selects: readonly Select[] }) {
  const [isGoing, setGoing] = useState(false);
  return (
    <form method="get" action={path} className="list-form" data-busy={isGoing ? "" : undefined}>
      {selects.map(({ name, label, choices }) => (
        <span key={name} className="list-form-choice">
          <label htmlFor={name}>{label}</label>
          <select
            id={name}
            name={name}
            className="select"
            defaultValue=""
            onChange={(event) => {
              setGoing(true);
              location.assign(`${path}?${name}=${event.currentTarget.value}`);
            }}
          >
            {choices.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </span>
      ))}
      <button type="submit" className="button is-quiet list-form-button">
        Go
      </button>
    </form>
  );
}

/** The menu, whose sections open on hover. */
export function MenuSection({ label, href, children }: { label: string; href: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li
      className="menu-section"
      data-open={isOpen || undefined}
      onPointerEnter={() => setOpen(true)}
      onPointerLeave={() => setOpen(false)}
    >
      <a href={href} className="menu-trigger">
        {label}
      </a>
      {children}
    </li>
  );
}
