import { useRef, type PointerEvent } from 'react';

/** Direction of a swipe on the screen. */
export type SwipeSide = 'left' | 'right';

/** Pixels after which a touch is a swipe or a scroll. */
const SLOP_PX = 10;
/** Part of the row's width after which letting go acts. */
const FAR = 0.35;

interface Touch {
  readonly row: HTMLElement;
  readonly x: number;
  readonly y: number;
  isSwipe: boolean;
}

interface SwipeHandlers {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: () => void;
}

/**
 * Swipes of a row by finger. The row follows the finger, with `data-swipe` of the side and `data-far` once letting go would act.
 * The styles of the row must leave horizontal movement to it: `touch-action: pan-y`.
 */
export function useSwipe(onSwipe: (side: SwipeSide) => void): SwipeHandlers {
  const touch = useRef<Touch | null>(null);
  const end = (): void => {
    if (touch.current) {
      const { row } = touch.current;
      row.style.translate = '';
      delete row.dataset['swipe'];
      delete row.dataset['far'];
    }
    touch.current = null;
  };
  const distance = ({ clientX }: PointerEvent): number => clientX - (touch.current?.x ?? clientX);
  const isFar = (event: PointerEvent<HTMLElement>): boolean =>
    Math.abs(distance(event)) > FAR * event.currentTarget.clientWidth;
  return {
    onPointerDown: ({ pointerType, isPrimary, currentTarget, clientX: x, clientY: y }) => {
      end();
      if (pointerType === 'touch' && isPrimary) touch.current = { row: currentTarget, x, y, isSwipe: false };
    },
    onPointerMove: (event) => {
      const { current } = touch;
      if (!current) return;
      const [across, along] = [distance(event), event.clientY - current.y];
      if (!current.isSwipe) {
        if (Math.max(Math.abs(across), Math.abs(along)) < SLOP_PX) return;
        if (Math.abs(along) > Math.abs(across)) return end();
        current.isSwipe = true;
        event.currentTarget.setPointerCapture(event.pointerId);
      }
      current.row.style.translate = `${across}px`;
      current.row.dataset['swipe'] = across < 0 ? 'left' : 'right';
      current.row.toggleAttribute('data-far', isFar(event));
    },
    onPointerUp: (event) => {
      const acts = touch.current?.isSwipe === true && isFar(event);
      const side: SwipeSide = distance(event) < 0 ? 'left' : 'right';
      end();
      if (acts) onSwipe(side);
    },
    onPointerCancel: end,
  };
}
