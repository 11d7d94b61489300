import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";

/** The frame of registration's steps: the current step, and the brand beside it where there is room. */
export function RegistrationFrame({
  step,
  title,
  children,
}: {
  step: 1 | 2 | null;
  title: string;
  children: ReactNode;
}) {
  const { brand } = useRouteLoaderData("root") as RootData;
  return (
    <div className="wrap page registration">
      <div className="registration-card">
        {step && (
          <p className="label soft registration-step">
            Step {step} of 2
            <span className="registration-bar" data-step={step} aria-hidden="true" />
          </p>
        )}
        <h1 className="display page-title">{title}</h1>
        {children}
      </div>
      <aside className="registration-side" aria-label={`About joining ${brand.name}`}>
        <p className="display registration-strapline">{brand.strapline}</p>
        <ul className="registration-points" role="list">
          <li>Joining is free and takes about two minutes.</li>
          <li>Stop half-way if you have to: we keep your place for a week.</li>
          <li>Afterwards, show us once that you belong. A work e‑mail or a photo of your card does it.</li>
        </ul>
        <div className="hero-art" aria-hidden="true" />
      </aside>
    </div>
  );
}
