CREATE TABLE "imported" (
  "a" TEXT,
  "b" TEXT
);
