import type { ReactNode } from "react";

/** One state of a component, for the examples pages, the gallery and the accessibility tests. */
export interface Example {
  /** Unique among the component's examples; part of an address where the example takes a whole page. */
  name: string;
  /** What to look for, where the name does not say it. */
  note?: string;
  /**
   * Set for a component that covers the page, or whose ids allow one of it on a page: the example gets a page of
   * its own.
   */
  isWholePage?: boolean;
  render: () => ReactNode;
}

/** The examples of one part (one folder), keyed by the component's file name without its extension. */
export type PartExamples = Readonly<Record<string, readonly Example[]>>;
