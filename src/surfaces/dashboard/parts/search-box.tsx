/** A box to search a list by words. They stand in the address; what changes the address elsewhere changes the box. */

import { useEffect, useRef, useState } from 'react';

interface SearchProps {
  readonly label: string;
  /** As it stands in the address. */
  readonly value: string;
  readonly search: (words: string) => void;
}

export function SearchBox({ label, value, search }: SearchProps) {
  const [text, setText] = useState(value);
  // The address follows the keys with a delay, so an own text comes back when the next one is typed already.
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const at = sent.current.indexOf(value);
    if (at >= 0) sent.current.splice(0, at + 1);
    else setText(value);
  }, [value]);
  return (
    <div className="search">
      <input
        aria-label={label}
        type="search"
        placeholder={label}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          sent.current.push(target.value);
          search(target.value);
        }}
      />
    </div>
  );
}
