import { Children, type ReactNode, useId } from "react";
import type { CarouselKind } from "./carousel-rules.ts";

export interface CarouselProps {
  title: string;
  kind: CarouselKind;
  /** The variant that shows 3 slides below 1025 px and 2 below 768 px, instead of 1 up to 1025 px. */
  isVariantTwo?: boolean;
  /** One child is one slide. */
  children: ReactNode;
}

/**
 * Slides side by side with autoplay (D8). This is a row that scrolls sideways, in its final size. Once it is on the
 * screen, carousel.behaviour.ts loads Embla, arrows, dots and autoplay.
 */
export function Carousel({ title, kind, isVariantTwo = false, children }: CarouselProps) {
  const id = useId();
  const slides = Children.toArray(children);
  return (
    <section
      className="carousel"
      aria-roledescription="carousel"
      aria-labelledby={id}
      data-kind={kind}
      data-variant={isVariantTwo ? "two" : undefined}
    >
      <div className="section-head">
        <h2 id={id} className="display section-title">
          {title}
        </h2>
        <div className="carousel-controls needs-script" role="group" aria-label={`${title}: controls`}>
          <button type="button" className="carousel-button" data-autoplay-button="" disabled aria-label="Pause">
            <svg width="20" height="20" viewBox="0 0 20 20" fill="currentColor" aria-hidden="true">
              <path className="pause-icon" d="M6 4.500h3v11h-3zM11.500 4.500h3v11h-3z" />
              <path className="play-icon" d="M7 4.500v11l9-5.500z" />
            </svg>
          </button>
          <button type="button" className="carousel-button" data-move="previous" disabled aria-label="Previous">
            <Arrow path="M12.500 4l-6 6 6 6" />
          </button>
          <button type="button" className="carousel-button" data-move="next" disabled aria-label="Next">
            <Arrow path="M7.500 4l6 6-6 6" />
          </button>
        </div>
      </div>
      <div className="carousel-viewport">
        <div className="carousel-slides" data-tracked-list="">
          {slides.map((slide, index) => (
            <div
              // oxlint-disable-next-line react/no-array-index-key -- a slide is identified by its place
              key={index}
              className="carousel-slide"
              role="group"
              aria-roledescription="slide"
              aria-label={`${index + 1} of ${slides.length}`}
            >
              {slide}
            </div>
          ))}
        </div>
      </div>
      <div className="carousel-foot needs-script" />
      <p className="carousel-status visually-hidden" role="status" />
    </section>
  );
}

function Arrow({ path }: { path: string }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
