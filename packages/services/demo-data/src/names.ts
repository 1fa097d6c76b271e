/** Twenty first names. */
export const firstNames = [
  'Alice',
  'Bob',
  'Carol',
  'Dan',
  'Erin',
  'Frank',
  'Grace',
  'Heidi',
  'Ivan',
  'Judy',
  'Karim',
  'Lena',
  'Mallory',
  'Niaj',
  'Olivia',
  'Peggy',
  'Rupert',
  'Sybil',
  'Trent',
  'Wendy',
];

/** Twelve last names. */
export const lastNames = [
  'Adler',
  'Bianchi',
  'Costa',
  'Dubois',
  'Eriksen',
  'Fischer',
  'Garcia',
  'Hansen',
  'Ito',
  'Jansen',
  'Kaya',
  'Lindqvist',
];
