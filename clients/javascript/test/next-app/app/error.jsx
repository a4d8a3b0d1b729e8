"use client";

export default function Failed() {
  return <p>Please try again in a moment.</p>;
}
