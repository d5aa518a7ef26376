/** Instead of the name of a file: a store that goes with its process. */
export const IN_MEMORY = ':memory:';
