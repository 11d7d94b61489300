import { Children, type ReactNode, useId, useRef, useState } from "react";
import { autoplayMs, type CarouselKind, describeView, hasDots } from "./carousel-rules.ts";
import { useAutoplay } from "./use-autoplay.ts";
import { useCarousel } from "./use-carousel.ts";
import { useNearScreen } from "../overlays/use-near-screen.ts";

export interface CarouselProps {
  title: string;
  kind: CarouselKind;
  /** The variant that shows 3 slides below 1025 px and 2 below 768 px, instead of 1 up to 1025 px. */
  isVariantTwo?: boolean;
  /** One child is one slide. */
  children: ReactNode;
}

/**
 * Slides side by side with autoplay (D8). The server sends a row that scrolls sideways, in its final size. Embla loads
 * once the row is on the screen, and adds arrows, dots and autoplay.
 */
export function Carousel({ title, kind, isVariantTwo = false, children }: CarouselProps) {
  const id = useId();
  const root = useRef<HTMLElement>(null);
  const viewport = useRef<HTMLDivElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const slides = Children.toArray(children);
  const isNear = useNearScreen(root);
  const { view, next, previous, goTo } = useCarousel(viewport, {
    slides: slides.length,
    isWanted: isNear,
    movesByOne: kind === "logos",
  });
  const canMove = view !== null && view.places > 1;
  const autoplay = useAutoplay(root, { everyMs: autoplayMs[kind], shown: view, canMove, next });

  /** Only the person's own moves are announced: autoplay would announce without end. */
  const [isAsked, setAsked] = useState(false);
  const words = view ? describeView(view.inView, slides.length) : "";
  if (isAsked && view) {
    setAsked(false);
    setAnnouncement(words);
  }
  const byHand = (act: () => void) => () => {
    act();
    setAsked(true);
  };

  return (
    <section
      ref={root}
      className="carousel"
      aria-roledescription="carousel"
      aria-labelledby={id}
      data-kind={kind}
      data-variant={isVariantTwo ? "two" : undefined}
      data-ready={view ? "" : undefined}
      data-moves={canMove ? "" : undefined}
      {...autoplay.zoneProps}
    >
      <div className="section-head">
        <h2 id={id} className="display section-title">
          {title}
        </h2>
        <div className="carousel-controls needs-script" role="group" aria-label={`${title}: controls`}>
          <button
            type="button"
            className="carousel-button"
            data-autoplay-button=""
            disabled={!canMove}
            aria-label={autoplay.isStopped ? "Play" : "Pause"}
            onClick={autoplay.toggle}
          >
            <Icon
              path={autoplay.isStopped ? "M7 4.500v11l9-5.500z" : "M6 4.500h3v11h-3zM11.500 4.500h3v11h-3z"}
              isSolid
            />
          </button>
          <button
            type="button"
            className="carousel-button"
            disabled={!canMove}
            aria-label="Previous"
            onClick={byHand(previous)}
          >
            <Icon path="M12.500 4l-6 6 6 6" />
          </button>
          <button
            type="button"
            className="carousel-button"
            disabled={!canMove}
            aria-label="Next"
            onClick={byHand(next)}
          >
            <Icon path="M7.500 4l6 6-6 6" />
          </button>
        </div>
      </div>
      <div ref={viewport} className="carousel-viewport">
        <div className="carousel-slides">
          {slides.map((slide, index) => (
            <div
              // oxlint-disable-next-line react/no-array-index-key -- a slide is identified by its place
              key={index}
              className="carousel-slide"
              role="group"
              aria-roledescription="slide"
              aria-label={`${index + 1} of ${slides.length}`}
              inert={view !== null && !view.inView.has(index)}
            >
              {slide}
            </div>
          ))}
        </div>
      </div>
      <div className="carousel-foot needs-script">
        {view && hasDots(view.places) && <Dots view={view} goTo={(place) => byHand(() => goTo(place))()} />}
        {canMove && !hasDots(view.places) && <p className="soft figures">{words}</p>}
      </div>
      <p className="visually-hidden" role="status">
        {announcement}
      </p>
    </section>
  );
}

function Dots({ view, goTo }: { view: { place: number; places: number }; goTo: (place: number) => void }) {
  return (
    <div className="carousel-dots" role="group" aria-label="Choose what to show">
      {Array.from({ length: view.places }, (_, place) => (
        <button
          key={place}
          type="button"
          className="carousel-dot"
          aria-label={`Part ${place + 1} of ${view.places}`}
          aria-current={place === view.place ? "true" : undefined}
          onClick={() => goTo(place)}
        />
      ))}
    </div>
  );
}

function Icon({ path, isSolid = false }: { path: string; isSolid?: boolean }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path
        d={path}
        fill={isSolid ? "currentColor" : "none"}
        stroke={isSolid ? "none" : "currentColor"}
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
