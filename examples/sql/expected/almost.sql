CREATE TABLE "imported" (
  "d" TEXT NOT NULL,
  "t" TEXT NOT NULL,
  "n" TEXT NOT NULL,
  "m" TEXT NOT NULL
);
INSERT INTO "imported" ("d", "t", "n", "m") VALUES
  ('2023-02-29', '12:00', '007', '1'),
  ('2024-02-30', '2024-01-01 24:00:00', '1.', 'x');
